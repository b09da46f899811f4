"""Small files of less used image datasets."""

from __future__ import annotations

import json

import numpy as np
from scipy import io, sparse

from tools.oracle.source_files import Folder, picture, pixels, text


def places365(folder: Folder) -> None:
    """Places365: lists of files and a folder for each."""
    text(folder / "categories_places365.txt", "/a/airfield 0\n/b/beach 1\n")
    text(folder / "places365_train_standard.txt", "/b/beach/00000002.jpg 1\n/a/airfield/00000001.jpg 0\n")
    text(folder / "places365_val.txt", "Places365_val_00000002.jpg 1\nPlaces365_val_00000001.jpg 0\n")
    for size in ("256", "large"):
        for number in (1, 2):
            picture(folder / f"val_{size}" / f"Places365_val_0000000{number}.jpg", number)
            picture(
                folder
                / f"data_{size}_standard"
                / "ab"[number - 1]
                / ["airfield", "beach"][number - 1]
                / f"0000000{number}.jpg",
                number,
            )


def food101(folder: Folder) -> None:
    """Food-101."""
    for kind in ("waffles", "apple_pie"):
        for number in (3, 1, 2):
            picture(folder / "images" / kind / f"{number}.jpg", number + len(kind))
    text(folder / "meta" / "train.txt", "waffles/3\napple_pie/1\nwaffles/1\n")
    text(folder / "meta" / "test.txt", "apple_pie/2\n")
    text(folder / "meta" / "classes.txt", "apple_pie\nwaffles\n")


def flowers102(folder: Folder) -> None:
    """Flowers102."""
    for number in range(1, 6):
        picture(folder / "jpg" / f"image_0000{number}.jpg", number)
        picture(folder / "segmim" / f"segmim_0000{number}.jpg", number + 10)
    io.savemat(folder / "imagelabels.mat", {"labels": np.array([[3, 1, 102, 7, 5]], np.uint8)}, do_compression=True)
    io.savemat(folder / "setid.mat", {"trnid": [[2, 5]], "tstid": [[4, 1]], "valid": [[3]]})


def caltech101(folder: Folder) -> None:
    """Caltech101 with outlines."""
    for kind, note in (("Faces", "Faces_2"), ("ant", "ant"), ("BACKGROUND_Google", "BACKGROUND_Google")):
        for number in (1, 2):
            picture(folder / "101_ObjectCategories" / kind / f"image_000{number}.jpg", number + len(kind))
            (folder / "Annotations" / note).mkdir(parents=True, exist_ok=True)
            outline = np.arange(6.0).reshape(2, 3) + number
            io.savemat(folder / "Annotations" / note / f"annotation_000{number}.mat", {"obj_contour": outline})


def caltech256(folder: Folder) -> None:
    """Caltech256."""
    for kind in ("002.flag", "001.ak47"):
        for number in (2, 1):
            picture(folder / kind / f"{kind[:3]}_000{number}.jpg", number + ord(kind[2]))


def svhn(folder: Folder) -> None:
    """SVHN."""
    for part, count in (("train", 3), ("test", 2), ("extra", 2)):
        images = pixels(count, 32, 32, 3 * count).reshape(32, 32, 3, count)
        io.savemat(
            folder / f"{part}_32x32.mat",
            {"X": images, "y": np.array([[10], [1], [2]][:count], np.uint8)},
            do_compression=True,
        )


def stl10(folder: Folder) -> None:
    """STL-10."""
    for part, count in (("train", 3), ("test", 2), ("unlabeled", 2)):
        (folder / f"{part}_X.bin").write_bytes(pixels(count, 3 * count, 96 * 96, 1).tobytes())
        if part != "unlabeled":
            (folder / f"{part}_y.bin").write_bytes(bytes([1, 10, 3][:count]))


def photo_tour(folder: Folder) -> None:
    """PhotoTour: 256 patches of 64 x 64 pixels in one image."""
    place = folder / "liberty"
    picture(place / "patches0000.bmp", 1, 1024, 1024)
    text(place / "info.txt", "".join(f"{number // 3} 0\n" for number in range(20)))
    text(place / "m50_100000_100000_0.txt", "0 5 0 1 5 0 0\n3 1 0 19 6 0 0\n")


def sbu(folder: Folder) -> None:
    """SBU Captioned Photo."""
    urls = [f"http://static.flickr.com/{number}/{number}_x.jpg" for number in (3, 1, 2)]
    text(folder / "SBU_captioned_photo_dataset_urls.txt", "".join(f"{url}\n" for url in urls))
    text(folder / "SBU_captioned_photo_dataset_captions.txt", "third one \nfirst\nsecond\n")
    for number in (3, 1):
        picture(folder / "sbu_images" / f"m_{number}_{number}_x.jpg", number)


def semeion(folder: Folder) -> None:
    """Semeion: 256 pixels and ten flags in every line."""
    rows = []
    for number in range(3):
        dots = " ".join(f"{value % 2}.0000" for value in pixels(number, 16, 16, 1).ravel())
        rows.append(dots + " " + " ".join("1" if digit == number * 3 else "0" for digit in range(10)) + " \n")
    text(folder / "semeion.data", "".join(rows))


def lfw(folder: Folder) -> None:
    """LFW: people and pairs."""
    for person, count in (("Aaron_A", 2), ("Bo_B", 3), ("Cy_C", 1)):
        for number in range(1, count + 1):
            picture(folder / "lfw_funneled" / person / f"{person}_000{number}.jpg", number + ord(person[0]))
    text(folder / "lfw-names.txt", "Aaron_A\t2\nBo_B\t3\nCy_C\t1\n")
    text(folder / "peopleDevTrain.txt", "2\nAaron_A\t1\nBo_B\t3\n")
    text(folder / "peopleDevTest.txt", "1\nCy_C\t1\n")
    text(folder / "people.txt", "2\n2\nAaron_A\t2\nCy_C\t1\n1\nBo_B\t1\n")
    text(folder / "pairsDevTrain.txt", "2\nAaron_A\t1\t2\nBo_B\t1\t3\nAaron_A\t1\tCy_C\t1\nBo_B\t2\tAaron_A\t2\n")
    text(folder / "pairsDevTest.txt", "1\nBo_B\t1\t2\nCy_C\t1\tBo_B\t1\n")
    text(folder / "pairs.txt", "2\t1\nAaron_A\t1\t2\nAaron_A\t1\tCy_C\t1\nBo_B\t1\t2\nBo_B\t2\tAaron_A\t2\n")


def lsun(folder: Folder) -> None:
    """LSUN."""
    for number, name in enumerate(("bedroom_train", "classroom_train", "bedroom_val", "classroom_val", "test")):
        for image in (2, 1):
            picture(folder / name / f"{image}.jpg", 10 * number + image)


def omniglot(folder: Folder) -> None:
    """Omniglot: alphabets of characters."""
    for part in ("images_background", "images_evaluation"):
        for number, place in enumerate(("Latin/character02", "Latin/character01", "Greek/character01")):
            picture(folder / part / place / "01.png", number + len(part))
            picture(folder / part / place / "02.png", number + 50)


def cityscapes(folder: Folder) -> None:
    """Cityscapes."""
    for part in ("train", "val"):
        for city in ("bochum", "aachen"):
            stem = f"{city}_000000_000019"
            picture(folder / "leftImg8bit" / part / city / f"{stem}_leftImg8bit.png", len(part + city))
            for kind in ("color", "instanceIds", "labelIds"):
                picture(folder / "gtFine" / part / city / f"{stem}_gtFine_{kind}.png", len(part + city + kind))
            text(
                folder / "gtFine" / part / city / f"{stem}_gtFine_polygons.json",
                json.dumps({"city": city, "part": part}),
            )


def div2k(folder: Folder) -> None:
    """DIV2K."""
    for part in ("train", "valid"):
        for number in (2, 1):
            picture(folder / f"DIV2K_{part}_HR" / f"000{number}.png", number)
            picture(folder / f"DIV2K_{part}_LR_bicubic" / "X2" / f"000{number}x2.png", number + 10)
            picture(folder / f"DIV2K_{part}_LR_mild" / f"000{number}x4m.png", number + 20)


def flickr(folder: Folder) -> None:
    """Flickr8k: five captions for each image."""
    names = ["2.jpg", "1.jpg"]
    for name in names:
        picture(folder / "images" / name, int(name[0]))
    text(
        folder / "tokens.txt",
        "".join(f"{name}#{number}\tcaption {number} of {name} .\n" for name in names for number in range(5)),
    )


def wider_face(folder: Folder) -> None:
    """WIDERFace."""
    for part in ("train", "val", "test"):
        for name in ("0--Parade/0_x", "1--Hand/1_y"):
            picture(folder / f"WIDER_{part}" / "images" / f"{name}.jpg", len(part) + int(name[0]))
        boxes = "0--Parade/0_x.jpg\n2\n1 2 3 4 0 1 0 1 0 1 \n5 6 7 8 1 0 1 0 1 0 \n1--Hand/1_y.jpg\n0\n0 0 0 0 0 0 0 0 0 0 \n"
        if part != "test":
            text(folder / "wider_face_split" / f"wider_face_{part}_bbx_gt.txt", boxes)
    text(folder / "wider_face_split" / "wider_face_test_filelist.txt", "0--Parade/0_x.jpg\n1--Hand/1_y.jpg\n")


def sun397(folder: Folder) -> None:
    """SUN397."""
    text(folder / "ClassName.txt", "/a/abbey\n/a/arch/indoor\n/b/bay\n")
    for number, name in enumerate(("a/abbey/sun_b", "a/abbey/sun_a", "a/arch/indoor/sun_c", "b/bay/sun_d")):
        picture(folder / f"{name}.jpg", number)


def kitti(folder: Folder) -> None:
    """KITTI."""
    for number in (1, 0):
        picture(folder / "data_object_image_2" / "training" / "image_2" / f"00000{number}.png", number)
        picture(folder / "data_object_image_2" / "testing" / "image_2" / f"00000{number}.png", number + 10)
        rows = [
            f"{kind} 0.{n} {n} -0.2{n} 1.5 2 {n + 3}.5 4 1.89 0.48 1.2 1.84 1.47 8.41 0.01"
            for n, kind in enumerate(("Van", "Car")[: number + 1])
        ]
        text(folder / "data_object_label_2" / "training" / "label_2" / f"00000{number}.txt", "\n".join(rows) + "\n")


def sbd(folder: Folder) -> None:
    """Semantic Boundaries."""
    (folder / "cls").mkdir(parents=True)
    for number, name in enumerate(("2008_000002", "2008_000003", "2008_000005")):
        picture(folder / "img" / f"{name}.jpg", number)
        edges = np.empty((20, 1), object)
        for kind in range(20):
            edges[kind, 0] = sparse.csc_matrix(
                (np.arange(12).reshape(3, 4) == kind + number).astype(np.uint8).astype(float)
            )
        content = {"GTcls": {"Boundaries": edges, "Segmentation": np.arange(12, dtype=np.uint8).reshape(3, 4) + number}}
        io.savemat(folder / "cls" / f"{name}.mat", content, do_compression=True)
    text(folder / "train.txt", "2008_000003\n2008_000002\n")
    text(folder / "val.txt", "2008_000005\n")


def rendered_sst2(folder: Folder) -> None:
    """RenderedSST2."""
    for part in ("train", "val", "test"):
        for kind in ("positive", "negative"):
            for number in (2, 1):
                picture(folder / part / kind / f"000{number}.png", number + len(part + kind))


def usps(folder: Folder) -> None:
    """USPS in the form of libsvm."""
    for name, count in (("usps", 3), ("usps.t", 2)):
        rows = []
        for number in range(count):
            dots = " ".join(
                f"{place + 1}:{value / 127.5 - 1:.6f}" for place, value in enumerate(pixels(number, 16, 16, 1).ravel())
            )
            rows.append(f"{number * 4 + 1} {dots} \n")
        text(folder / name, "".join(rows))
